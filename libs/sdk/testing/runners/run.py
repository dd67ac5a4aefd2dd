# Vectors on stdin, the folder of the verifier as the argument; one verdict a line.
import base64
import json
import sys
from email.message import Message

sys.path.insert(0, sys.argv[1])
from verify import InvalidWebhook, verify_webhook

for vector in json.load(sys.stdin.buffer):
    headers = Message()  # what http.server has
    for name, values in vector["headers"].items():
        for value in values:
            headers[name] = value
    # One secret as itself, several as a list: both are promised.
    secrets = vector["secrets"][0] if len(vector["secrets"]) == 1 else vector["secrets"]
    try:
        verify_webhook(base64.b64decode(vector["bodyBase64"]), headers, secrets, vector["now"])
        print("valid")
    except InvalidWebhook:
        print("invalid")

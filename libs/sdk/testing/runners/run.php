<?php

// Vectors on stdin, the verifier as the argument; one verdict a line.
declare(strict_types=1);

// A warning is a fault of the verifier.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
require $argv[1];

foreach (json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR) as $vector) {
    // One secret as itself, several as a list: both are promised.
    $secrets = count($vector['secrets']) === 1 ? $vector['secrets'][0] : $vector['secrets'];
    try {
        verify_webhook(base64_decode($vector['bodyBase64']), $vector['headers'], $secrets, $vector['now']);
        echo "valid\n";
    } catch (InvalidWebhook) {
        echo "invalid\n";
    }
}

# frozen_string_literal: true

# Tells a webhook of the payout gateway from anything else. Needs nothing but Ruby, 3.0 or newer.
require 'openssl'

class InvalidWebhook < StandardError; end

# Raises InvalidWebhook unless the gateway sent this.
# raw_body: request.body.read, before anything parsed it.
# headers: the env of Rack, request.headers of Rails, or a hash of names and values.
# secrets: your signing secret, or an array of all that may be in use while it is rotated. now: Unix seconds.
def verify_webhook(raw_body, headers, secrets, now: Time.now.to_i)
  timestamp = only_webhook_header(headers, 'x-gw-timestamp')
  raise InvalidWebhook, 'x-gw-timestamp is missing or malformed' unless timestamp.match?(/\A[0-9]{10}\z/)
  raise InvalidWebhook, 'x-gw-timestamp is over 300 seconds away' if (now - timestamp.to_i).abs > 300

  signature = only_webhook_header(headers, 'x-gw-signature')
  raise InvalidWebhook, 'x-gw-signature is missing or malformed' unless signature.match?(/\A[0-9a-fA-F]{64}\z/)

  given = [signature].pack('H*')
  signed = "#{timestamp}.".b + raw_body.b
  # An empty secret is one that was not configured: anybody can sign with it.
  keys = Array(secrets).compact.reject(&:empty?)
  matches = keys.map do |key|
    OpenSSL.fixed_length_secure_compare(given, OpenSSL::HMAC.digest('SHA256', key, signed))
  end
  raise InvalidWebhook, 'x-gw-signature does not match' unless matches.include?(true)
end

# The value of a header that came exactly once, else nothing: of two, nobody knows which was signed.
def only_webhook_header(headers, name)
  found = []
  headers.each do |key, value|
    # Rack spells x-gw-timestamp HTTP_X_GW_TIMESTAMP.
    found.concat(Array(value)) if key.to_s.downcase.tr('_', '-').delete_prefix('http-') == name
  end
  found.size == 1 ? found.first.b : ''
end

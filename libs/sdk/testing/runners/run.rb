# frozen_string_literal: true

# Vectors on stdin, the verifier as the argument; one verdict a line.
require 'json'
require File.expand_path(ARGV[0])

JSON.parse($stdin.read).each do |vector|
  # One secret as itself, several as a list: both are promised.
  secrets = vector['secrets'].size == 1 ? vector['secrets'].first : vector['secrets']
  # Bodies come as UTF-8 from some frameworks, valid or not.
  body = vector['bodyBase64'].unpack1('m').force_encoding('UTF-8')
  # As Rack has them, and as a plain hash has them: both are promised.
  rack = vector['headers'].to_h { |name, values| ["HTTP_#{name.upcase.tr('-', '_')}", values] }
  same_name_twice = rack.size < vector['headers'].size
  verdicts = (same_name_twice ? [vector['headers']] : [vector['headers'], rack]).map do |headers|
    verify_webhook(body, headers, secrets, now: vector['now'])
    'valid'
  rescue InvalidWebhook
    'invalid'
  end
  puts verdicts.uniq.join(' and ')
end

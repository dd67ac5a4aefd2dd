<?php

// Tells a webhook of the payout gateway from anything else. Needs nothing but PHP, 8.0 or newer.
declare(strict_types=1);

final class InvalidWebhook extends RuntimeException
{
}

/**
 * Throws InvalidWebhook unless the gateway sent this.
 *
 * @param string $rawBody file_get_contents('php://input'), before anything parsed it
 * @param array<string, string|string[]> $headers getallheaders(), or getHeaders() of a PSR-7 request
 * @param string|string[] $secrets your signing secret, or all that may be in use while it is rotated
 * @param int|null $now Unix seconds
 */
function verify_webhook(string $rawBody, array $headers, string|array $secrets, ?int $now = null): void
{
    $timestamp = only_webhook_header($headers, 'x-gw-timestamp');
    if (preg_match('/\A[0-9]{10}\z/', $timestamp) !== 1) {
        throw new InvalidWebhook('x-gw-timestamp is missing or malformed');
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        throw new InvalidWebhook('x-gw-timestamp is over 300 seconds away');
    }
    $signature = only_webhook_header($headers, 'x-gw-signature');
    if (preg_match('/\A[0-9a-fA-F]{64}\z/', $signature) !== 1) {
        throw new InvalidWebhook('x-gw-signature is missing or malformed');
    }
    $given = hex2bin($signature);
    $matched = false;
    foreach ((array) $secrets as $secret) {
        $same = hash_equals(hash_hmac('sha256', "$timestamp.$rawBody", $secret, true), $given);
        // An empty secret is one that was not configured: anybody can sign with it.
        $matched = ($same && $secret !== '') || $matched;
    }
    if (!$matched) {
        throw new InvalidWebhook('x-gw-signature does not match');
    }
}

/** The value of a header that came exactly once, else nothing: of two, nobody knows which was signed. */
function only_webhook_header(array $headers, string $name): string
{
    $found = [];
    foreach ($headers as $key => $value) {
        if (strtolower((string) $key) === $name) {
            array_push($found, ...array_values((array) $value));
        }
    }
    return count($found) === 1 ? $found[0] : '';
}

// Package webhooks tells a webhook of the payout gateway from anything else.
// It needs nothing but Go, 1.14 or newer.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// ErrInvalidWebhook is what errors.Is finds in every error of VerifyWebhook.
var ErrInvalidWebhook = errors.New("invalid webhook")

var (
	tenDigits = regexp.MustCompile(`^[0-9]{10}$`)
	sha256Hex = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
)

// VerifyWebhook returns an error unless the gateway sent this. rawBody is what was received, before anything parsed
// it; now is time.Now(); secrets are your signing secret, or all that may be in use while it is rotated.
func VerifyWebhook(rawBody []byte, headers http.Header, now time.Time, secrets ...string) error {
	timestamp := onlyOne(headers, "X-Gw-Timestamp")
	if !tenDigits.MatchString(timestamp) {
		return fmt.Errorf("%w: x-gw-timestamp is missing or malformed", ErrInvalidWebhook)
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if away := now.Unix() - seconds; err != nil || away > 300 || away < -300 {
		return fmt.Errorf("%w: x-gw-timestamp is over 300 seconds away", ErrInvalidWebhook)
	}
	signature := onlyOne(headers, "X-Gw-Signature")
	given, err := hex.DecodeString(signature)
	if err != nil || !sha256Hex.MatchString(signature) {
		return fmt.Errorf("%w: x-gw-signature is missing or malformed", ErrInvalidWebhook)
	}
	matched := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(rawBody)
		// An empty secret is one that was not configured: anybody can sign with it.
		if hmac.Equal(given, mac.Sum(nil)) && secret != "" {
			matched = true
		}
	}
	if !matched {
		return fmt.Errorf("%w: x-gw-signature does not match", ErrInvalidWebhook)
	}
	return nil
}

// onlyOne is the value of a header that came exactly once, else nothing: of two, nobody knows which was signed.
func onlyOne(headers http.Header, name string) string {
	if values := headers.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}

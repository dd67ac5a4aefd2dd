// Vectors on stdin; one verdict a line.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"runner/webhooks"
)

type vector struct {
	Secrets    []string
	Headers    map[string][]string
	BodyBase64 []byte
	Now        int64
}

func main() {
	var vectors []vector
	if err := json.NewDecoder(os.Stdin).Decode(&vectors); err != nil {
		panic(err)
	}
	for _, vector := range vectors {
		headers := http.Header{}
		for name, values := range vector.Headers {
			for _, value := range values {
				headers.Add(name, value)
			}
		}
		err := webhooks.VerifyWebhook(vector.BodyBase64, headers, time.Unix(vector.Now, 0), vector.Secrets...)
		if err != nil && !errors.Is(err, webhooks.ErrInvalidWebhook) {
			panic(err)
		}
		fmt.Println(map[bool]string{true: "valid", false: "invalid"}[err == nil])
	}
}

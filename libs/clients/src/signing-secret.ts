/** What a client's signing secret is bound to, where it is sealed. */
export const signingSecretOf = (clientId: string): string => `signing-secret:${clientId}`;

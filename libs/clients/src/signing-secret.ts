/** The name that a client's signing secret is sealed under. */
export const signingSecretOf = (clientId: string): string => `signing-secret:${clientId}`;

/** Secrets that stand in specifications and documentation, where everybody finds them. */

const UUIDS = [
  '550e8400-e29b-41d4-a716-446655440000',
  '123e4567-e89b-12d3-a456-426614174000',
  '123e4567-e89b-12d3-a456-426655440000',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  '919108f7-52d1-4320-9bac-f847db4148a8',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
];

/**
 * Of the test vectors of NIST for AES-256, and for its smaller keys; the constants of SHA-256; the first keys of Hardhat and Anvil, and of Ganache; the
 * generator of secp256k1; and pi, e, the golden ratio and the root of 2, in decimals or in hex.
 */
const KEYS = [
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
  '2b7e151628aed2a6abf7158809cf4f3c',
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5',
  '6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19',
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '3141592653589793238462643383279502884197169399375105820974944592',
  '31415926535897932384626433832795',
  '27182818284590452353602874713526',
  '16180339887498948482045868343656',
  '14142135623730950488016887242096',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d',
  '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  '243f6a8885a308d313198a2e03707344',
  'b7e151628aed2a6abf7158809cf4f3c7',
];

/** What programmers write in hex, and rows of a keyboard: two in turns, or from their end. */
const TYPED = [
  ...['deadbeef', 'cafebabe', 'deadc0de', 'baadf00d', '8badf00d', 'feedface', '1q2w3e4r5t6y7u8i9o0p'],
  ...['q1w2e3r4t5y6u7i8o9p0', 'a1s2d3f4g5h6j7k8l9', 'poiuytrewq', 'lkjhgfdsa', 'mnbvcxz'],
];

/** The samples of AWS and Stripe, and of any JWT about the subject 1234567890, as jwt.io has it. */
const TOKENS = ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '4eC39HqLyjWDarjtT1zdp7dc'];
const SAMPLE_JWT = '^eyJ[\\w-]+\\.eyJzdWIiOiIxMjM0NTY3ODkw.*';

const PUBLISHED = new RegExp(
  [...UUIDS.map((uuid) => uuid.replace(/-/g, '-?')), ...KEYS, ...TYPED, ...TOKENS, SAMPLE_JWT].join('|'),
  'gi',
);

export const withoutPublished = (text: string): string => text.replace(PUBLISHED, '');

/** What is refused in small letters, or in capitals, is typed as well where each word begins with a capital. */
import { isMadeUpToken } from './made-up';

test.each([
  'Correct-Horse-Battery-Staple-And-More',
  'Replace_Me_With_A_Long_Random_String',
  'Change-Me-In-Production-Please-2026!',
  'Operator-Token-Must-Be-32-Characters-Long',
  'OPERATOR_TOKEN_MUST_BE_32_CHARACTERS_LONG',
  '<your-operator-token-goes-here-32-Chars>',
  '<your-operator-token-goes-here-32-chars>',
  'ThisIsMyOperatorTokenForPayments2026',
  '#{OperatorToken}#-from-Octopus-variables',
  '#{OperatorToken}#-x-x-x-x-x-x-x-x-x',
  '{{.Values.operatorToken}}-7-9-Qx-2-Zw',
  '%GATEWAY_OPERATOR_TOKEN_OF_LIVE_SITE9%',
  'BitteVorDemStartInProduktionAendern2026',
  'We-Pay-Our-Creators-Every-Friday-2026!',
  'Acme-Corp-Settlement-Desk-Access-2026',
])('%s is no token', (token) => expect(isMadeUpToken(token)).toBe(true));

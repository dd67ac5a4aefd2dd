/** The entity secret, encrypted again for each call that moves something: Circle takes no ciphertext twice. */
import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import type { Answer, Transport } from '#libs/rail-transport';
import { isEntityKey, isProblem, type Problem, type Told } from './circle.shapes';

export type CiphertextAnswer = Answer<{ text: string; key: KeyObject }, Problem>;

export class EntitySecret {
  readonly #secret: Buffer;
  private key: KeyObject | null = null;
  private asked: Promise<Answer<KeyObject, Problem>> | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly headers: Record<string, string>,
    entitySecret: string,
  ) {
    this.#secret = Buffer.from(entitySecret, 'hex');
  }

  /** Under Circle's public key, which is asked for by one call at a time however many wait for it. */
  async ciphertext(): Promise<CiphertextAnswer> {
    this.asked ??= this.publicKey().finally(() => (this.asked = null));
    const answer = await this.asked;
    if (answer.kind !== 'done') return answer;
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    const encrypted = publicEncrypt({ key: answer.found, ...padding }, this.#secret);
    return { kind: 'done', found: { text: encrypted.toString('base64'), key: answer.found } };
  }

  /** Circle could not read what was encrypted under it. One that came since stays. */
  drop(key: KeyObject): void {
    if (this.key === key) this.key = null;
  }

  private async publicKey(): Promise<Answer<KeyObject, Problem>> {
    if (this.key) return { kind: 'done', found: this.key };
    const answer: Answer<Told<{ publicKey: string }>, Problem> = await this.transport.call({
      ...{ method: 'GET', path: '/v1/w3s/config/entity/publicKey', headers: this.headers },
      ...{ found: isEntityKey, problem: isProblem },
    });
    if (answer.kind !== 'done') return answer;
    try {
      this.key = createPublicKey(answer.found.data.publicKey);
      return { kind: 'done', found: this.key };
    } catch {
      return { kind: 'unclear', detail: 'Circle tells no public key that can be read' };
    }
  }
}

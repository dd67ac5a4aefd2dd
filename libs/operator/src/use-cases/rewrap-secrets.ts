/** Seals every secret anew with the first master key. */
import { Injectable } from '@nestjs/common';
import { IssueCredentials } from '#libs/clients';
import { ResealLinks } from '#libs/mail';
import { deedOf, RecordDeeds } from './record-deeds';

const REWRAP = deedOf('master_key', 'rewrap', 'rewrapped');

export interface Rewrapped {
  checked: number;
  rewrapped: number;
}

@Injectable()
export class RewrapSecrets {
  constructor(
    private readonly credentials: IssueCredentials,
    private readonly links: ResealLinks,
    private readonly deeds: RecordDeeds,
  ) {}

  run(actor: string): Promise<Rewrapped> {
    return this.deeds.inSteps(
      REWRAP,
      { actor },
      async () => sumOf(await this.credentials.rewrap(), await this.links.run()),
      (done) => done,
    );
  }
}

const sumOf = (one: Rewrapped, other: Rewrapped): Rewrapped => ({
  checked: one.checked + other.checked,
  rewrapped: one.rewrapped + other.rewrapped,
});

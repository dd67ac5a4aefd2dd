/** Who may call a route: said by exactly one decorator on each. A start with a route that says nothing fails. */
import { SetMetadata } from '@nestjs/common';
import type { Scope as ScopeName } from '#libs/domain';

export const ACCESS = Symbol('access');

export type OperatorRoleName = 'viewer' | 'operator' | 'admin';

export type Access =
  | { kind: 'client'; scope: ScopeName; evenClosed: boolean; needsV2: boolean }
  | { kind: 'operator'; role: OperatorRoleName }
  | { kind: 'open' };

const access = (value: Access): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, value);

/**
 * A signed request of a client whose key grants this scope. `evenClosed`: the route has its own answer for a closed client.
 * `needsV2`: version 1 does not say where a request goes, and is not enough here.
 */
export const Scope = (scope: ScopeName, { evenClosed = false, needsV2 = false } = {}): MethodDecorator =>
  access({ kind: 'client', scope, evenClosed, needsV2 });
/** An operator of at least this role. */
export const OperatorRole = (role: OperatorRoleName): MethodDecorator => access({ kind: 'operator', role });
/** Anybody: health, metrics, the API reference. */
export const Open = (): MethodDecorator & ClassDecorator => access({ kind: 'open' });

/** The methods of all providers that a decorator marked, each bound to its own provider. */
import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

export interface Marked<Mark> {
  mark: Mark;
  method: (...args: unknown[]) => unknown;
}

@Injectable()
export class MarkedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  with<Mark>(key: symbol): Marked<Mark>[] {
    return this.discovery.getProviders().flatMap(({ instance }) => {
      if (!instance || typeof instance !== 'object') return [];
      const methods = instance as Record<string, Marked<Mark>['method']>;
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name) => {
        const method = methods[name];
        const mark = typeof method === 'function' ? this.reflector.get<Mark | undefined>(key, method) : undefined;
        return method && mark !== undefined ? { mark, method: method.bind(instance) } : [];
      });
    });
  }
}

/** Every route there is, read once from the controllers: for 405 answers, and for the check that each one is guarded. */
import { Injectable, type OnApplicationBootstrap, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS, type Access } from './access';

export interface Route {
  method: string;
  path: string;
  access: Access | undefined;
}

@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private routes: Route[] = [];
  /** By how many parts their paths have. */
  private patterns = new Map<number, { route: Route; parts: string[] }[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype ? this.of(metatype as Type) : []));
    for (const route of this.routes) {
      const parts = route.path.split('/');
      this.patterns.set(parts.length, [...(this.patterns.get(parts.length) ?? []), { route, parts }]);
    }
    const open = this.routes.filter(({ access }) => !access).map(({ method, path }) => `${method} ${path}`);
    if (open.length > 0) throw new Error(`Routes without @Scope, @OperatorRole or @Open: ${open.join(', ')}.`);
  }

  all(): readonly Route[] {
    return this.routes;
  }

  methodsAt(path: string): string[] {
    return [...new Set(this.routesAt(path).map(({ method }) => method))].sort();
  }

  /** Who may call this route; undefined if there is none. */
  accessAt(method: string, path: string): Access | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.routesAt(path).find((route) => route.method === asked)?.access;
  }

  /** A path that is spelt out counts before one with an id in its place: `batch` is no payout. */
  private routesAt(path: string): Route[] {
    const given = path.split('/');
    const candidates = this.patterns.get(given.length) ?? [];
    const found = candidates.filter(({ parts }) => matches(parts, given)).map(({ route }) => route);
    const named = found.filter((route) => route.path === path);
    return named.length > 0 ? named : found;
  }

  private of(controller: Type): Route[] {
    const prototype = controller.prototype as Record<string, Type>;
    const base = this.reflector.get<string>(PATH_METADATA, controller) ?? '';
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] as Type;
      const path = this.reflector.get<string | undefined>(PATH_METADATA, handler);
      if (path === undefined) return [];
      const method = RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)];
      const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, controller]);
      return [{ method, path: `/${[base, path].map(trimSlashes).filter(Boolean).join('/')}`, access }];
    });
  }
}

const trimSlashes = (part: string): string => part.replace(/^\/+|\/+$/g, '');

const matches = (parts: string[], given: string[]): boolean =>
  parts.every((part, index) => part.startsWith(':') || part === given[index]);

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

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype ? this.of(metatype as Type) : []));
    const open = this.routes.filter(({ access }) => !access).map(({ method, path }) => `${method} ${path}`);
    if (open.length > 0) throw new Error(`Routes without @Scope, @OperatorRole or @Open: ${open.join(', ')}.`);
  }

  all(): readonly Route[] {
    return this.routes;
  }

  methodsAt(path: string): string[] {
    const matching = this.routes.filter((route) => matches(route.path, path));
    return [...new Set(matching.map(({ method }) => method))].sort();
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

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}

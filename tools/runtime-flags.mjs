// What Node is told when it runs the service; docker/gateway.Dockerfile says the same.
export const RUNTIME_FLAGS = [
  '--enable-source-maps',
  // What requests leave behind is collected sooner: by itself Node takes up to 100 MiB more before it begins.
  '--max-semi-space-size=16',
  '--initial-old-space-size=96',
];

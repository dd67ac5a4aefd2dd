# The gateway without its build tools, its tests and the embedded PostgreSQL. From the root of the repository:
#   docker build -f docker/gateway.Dockerfile -t payout-gateway .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts anywhere here: nothing that runs needs one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc ./
COPY tools tools
COPY apps apps
COPY libs libs
RUN node tools/build.mjs

FROM node:24-bookworm-slim AS production-modules
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages are compilers, and PostgreSQL's programs for a service that has no DATABASE_URL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=production-modules /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY tools tools
USER node
EXPOSE 3000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--initial-old-space-size=96", "dist/apps/gateway/src/main.js"]

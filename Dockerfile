# syntax=docker/dockerfile:1
# Two images. The program: docker build --build-arg VIVARIUM_COMMIT=$(git rev-parse --short=12 HEAD) --tag vivarium .
# The page: docker build --target page --tag vivarium-page .

FROM rust:1.95-bookworm AS source
COPY --from=node:22-bookworm-slim /usr/local/bin/node /usr/local/bin/
COPY --from=node:22-bookworm-slim /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /vivarium
COPY . .

FROM source AS build-page
RUN npm run build

FROM nginx:1.28-alpine AS page
COPY --from=build-page /vivarium/dist /usr/share/nginx/html
# Cross-origin isolation enables shared memory, so that training uses all cores; docs/hosting.md explains the headers.
COPY <<'CONF' /etc/nginx/conf.d/default.conf
map $uri $resource_policy {
  default  same-origin;
  ~^/embed cross-origin;
}
# nginx sends no header without a value.
map $uri $document_isolation {
  default  "";
  ~^/embed isolate-and-require-corp;
}
map $uri $caching {
  default   no-cache;
  ~^/assets "public, max-age=31536000, immutable";
}
server {
  listen 80;
  root /usr/share/nginx/html;
  gzip on;
  gzip_types application/wasm text/javascript text/css;
  types {
    text/html html;
    text/css css;
    text/javascript js;
    application/wasm wasm;
    application/json json;
    application/manifest+json webmanifest;
    image/svg+xml svg;
    image/jpeg jpg;
    image/png png;
    image/webp webp;
    font/woff2 woff2;
  }
  add_header Cross-Origin-Opener-Policy same-origin;
  add_header Cross-Origin-Embedder-Policy require-corp;
  add_header Cross-Origin-Resource-Policy $resource_policy;
  add_header Document-Isolation-Policy $document_isolation;
  add_header X-Content-Type-Options nosniff;
  add_header Cache-Control $caching;
}
CONF

FROM source AS build-program
# Commit that `vivarium --version` prints and run.json records; the image has no git repository.
ARG VIVARIUM_COMMIT=
RUN cargo build --release --locked -p vivarium-cli

FROM debian:bookworm-slim
# The Vulkan loader, for GPUs that the container runtime passes through.
RUN apt-get update && apt-get install -y --no-install-recommends libvulkan1 && rm -rf /var/lib/apt/lists/*
COPY --from=build-program /vivarium/target/release/vivarium /usr/local/bin/
# A named volume takes the owner of the folder on which it is mounted first.
RUN useradd --create-home vivarium && install --directory --owner=vivarium --group=vivarium /home/vivarium/runs
USER vivarium
# Run folders are written to /home/vivarium/runs: mount a volume there.
WORKDIR /home/vivarium
ENTRYPOINT ["vivarium"]

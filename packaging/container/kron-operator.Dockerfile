# The operator's image. Build from the root of the repository:
#   docker build -f packaging/container/kron-operator.Dockerfile -t kron-operator .
FROM node:24-bookworm-slim AS build
# The Node that the lockfile pins needs it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /src
COPY package.json package-lock.json tsconfig.base.json ./
COPY packages ./packages
RUN npm ci --no-audit --no-fund \
 && npx tsc -b packages/operator \
 && mkdir /packed \
 && npm pack --pack-destination /packed -w @kron/core -w @kron/runtime -w @kron/cli -w @kron/calendar -w @kron/operator
WORKDIR /app
RUN echo '{"private":true,"type":"module"}' > package.json \
 && npm install --omit=dev --no-audit --no-fund /packed/*.tgz

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
COPY --from=build /app /app
ENV NODE_ENV=production
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/@kron/operator/dist/bin/kron-operator.js"]

# krond's image. Build from the root of the repository:
#   docker build -f packaging/container/krond.Dockerfile -t krond .
# Run it with a read-only root; jobs come from a volume, state must outlive the container:
#   docker run --read-only --tmpfs /tmp -v ./jobs:/etc/krond.d:ro -v krond-state:/var/lib/krond krond
FROM node:24-bookworm-slim AS build
# The Node that the lockfile pins needs it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /src
COPY package.json package-lock.json tsconfig.base.json tsconfig.json ./
COPY scripts ./scripts
COPY packages ./packages
RUN npm run build \
 && mkdir /packed \
 && npm pack --pack-destination /packed -w @kron/core -w @kron/runtime -w @kron/host -w @kron/calendar -w @kron/cli -w @kron/krontab -w @kron/console -w @kron/krond
WORKDIR /app
RUN echo '{"private":true,"type":"module"}' > package.json \
 && npm install --omit=dev --no-audit --no-fund /packed/*.tgz

FROM node:24-bookworm-slim
# Node reaps no orphans, and the jobs of a host leave some behind: tini is the init.
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && ln -s /app/node_modules/.bin/krond /app/node_modules/.bin/krontab /usr/local/bin/ \
 && install -d -o node -g node -m 0700 /var/lib/krond \
 && install -d -m 0755 /etc/krond.d
COPY --from=build /app /app
ENV NODE_ENV=production
# Jobs with user= need root: docker run --user 0.
USER node
VOLUME /var/lib/krond
ENTRYPOINT ["/usr/bin/tini", "--", "krond"]
CMD ["start", "--config", "/etc/krond.d", "--state-dir", "/var/lib/krond", "--pid-file", "/tmp/krond.pid", "--log-format", "json", "--keep-going"]

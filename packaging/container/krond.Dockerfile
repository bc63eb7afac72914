# krond's image, made of the single executable: there is no Node in it. Build from the root of the repository:
#   docker build -f packaging/container/krond.Dockerfile -t krond .
# Run it with a read-only root; jobs come from a volume, state must outlive the container:
#   docker run --read-only --tmpfs /tmp -v ./jobs:/etc/krond.d:ro -v krond-state:/var/lib/krond krond
FROM node:24-bookworm-slim AS build
# The Node that the lockfile pins needs the first, the executable is stripped by the second.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 binutils
WORKDIR /src
COPY package.json package-lock.json tsconfig.base.json tsconfig.json ./
COPY scripts ./scripts
COPY packages ./packages
COPY packaging ./packaging
RUN npm run build && npx node packaging/executable/build.ts /built

FROM debian:bookworm-slim
# The jobs of a host leave orphans behind: tini is the init that reaps them.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 tini tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 1000 --create-home kron \
 && install -d -o kron -g kron -m 0700 /var/lib/krond \
 && install -d -m 0755 /etc/krond.d
COPY --from=build /built/kron /usr/local/bin/kron
RUN for name in krond krontab crontab kronctl; do ln -s kron "/usr/local/bin/$name"; done
# Jobs with user= need root: docker run --user 0.
USER kron
VOLUME /var/lib/krond
ENTRYPOINT ["/usr/bin/tini", "--", "krond"]
CMD ["start", "--config", "/etc/krond.d", "--state-dir", "/var/lib/krond", "--pid-file", "/tmp/krond.pid", "--log-format", "json", "--keep-going"]

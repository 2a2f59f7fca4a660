# One image for each component:
#   docker build --target gateway -t tallycard-gateway:0.1.0 .
# The sources run as they are, so an image is Node, the production dependencies and the component's TypeScript.
ARG BASE_IMAGE=node:24-slim

FROM ${BASE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Declarations and source maps are of no use at run time.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

FROM ${BASE_IMAGE} AS runtime
WORKDIR /app
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY proto/gen proto/gen
COPY stack/trim-memory.mjs stack/
COPY services/platform/src services/platform/src
# Known to Kubernetes as a number, so that runAsNonRoot can be checked.
USER 65532:65532
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.HEALTH_PORT ?? 9090) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--disable-warning=TimeoutNegativeWarning", "--expose-gc", "--import", "/app/stack/trim-memory.mjs"]

FROM runtime AS gateway
COPY gateway/src gateway/src
EXPOSE 8080 9090
CMD ["gateway/src/main.ts"]

FROM runtime AS identity
COPY services/identity/src services/identity/src
EXPOSE 50051 9090
CMD ["services/identity/src/main.ts"]

FROM runtime AS loyalty
COPY services/loyalty/src services/loyalty/src
EXPOSE 50051 9090
CMD ["services/loyalty/src/main.ts"]

FROM runtime AS templates
COPY services/templates/src services/templates/src
EXPOSE 50051 9090
CMD ["services/templates/src/main.ts"]

FROM runtime AS giftcards
COPY services/giftcards/src services/giftcards/src
EXPOSE 50051 9090
CMD ["services/giftcards/src/main.ts"]

FROM runtime AS webhooks
COPY services/webhooks/src services/webhooks/src
EXPOSE 50051 9090
CMD ["services/webhooks/src/main.ts"]

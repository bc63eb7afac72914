/** The answers of krond; docs/reference/openapi.json describes the same shapes. */
export type * from '@kron/host/api'

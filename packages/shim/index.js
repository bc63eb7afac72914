import shim from './index.cjs'

export const { shimPath } = shim

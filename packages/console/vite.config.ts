import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  // The engine is bundled from its sources, so that the console never runs another one than was built with it.
  resolve: { conditions: ['kron-source', ...defaultClientConditions] },
  base: './',
  build: {
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  logLevel: 'warn',
})

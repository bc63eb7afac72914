// A NestJS application whose task uses a provider. `npm install @nestjs/common @nestjs/core reflect-metadata rxjs @kron/scheduler`.
// In TypeScript you write `@Injectable()` and `@Module()` before the classes; this file does without a compiler.
import 'reflect-metadata'
import { memoryStore, runNow } from '@kron/scheduler'
import { KronModule, SCHEDULER } from '@kron/scheduler/nestjs'
import { Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

class Invoices {
  async write() {
    console.log('writing invoices')
  }
}
Injectable()(Invoices)

class Application {}
Module({
  imports: [
    KronModule.forRoot({
      store: memoryStore(),
      tasks: application => [['invoices', '0 3 * * *', () => application.get(Invoices).write(), '5m']],
    }),
  ],
  providers: [Invoices],
})(Application)

const application = await NestFactory.createApplicationContext(Application, { logger: ['warn', 'error'] })

process.once('SIGTERM', async () => {
  await application.close()
  console.log('stopped')
})

const { kind } = await runNow(application.get(SCHEDULER), 'invoices')
console.log(`invoices: ${kind}`)

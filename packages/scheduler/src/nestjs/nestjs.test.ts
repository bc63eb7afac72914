import assert from 'node:assert/strict'
import { test } from 'node:test'
import 'reflect-metadata'
import { silent } from '@kron/testkit/scheduler/conformance/fixture'
import { Injectable, Logger, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryStore, type Scheduler, type Store, tasksOf, virtualClock } from '../index.ts'
import { KronModule, type KronModuleOptions, SCHEDULER } from './index.ts'

class Invoices {
  written = 0
  write(): void {
    this.written++
  }
}
Injectable()(Invoices)

class Billing {}
Module({ providers: [Invoices] })(Billing)

/** Decorators are called as functions, because Node only strips types. */
function applicationOf(options: KronModuleOptions) {
  class Application {}
  Module({ imports: [Billing, KronModule.forRoot(options)] })(Application)
  return NestFactory.createApplicationContext(Application, { logger: false, abortOnError: false })
}

test('the scheduler begins with the application, uses its providers and ends with it', async () => {
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const application = await applicationOf({
    store: memoryStore(),
    clock,
    tasks: application => [['invoices', '* * * * *', () => application.get(Invoices).write(), 0]],
  })
  const scheduler = application.get<Scheduler>(SCHEDULER)
  assert.equal(tasksOf(scheduler)[0]?.name, 'invoices')
  await clock.run(1_000)
  assert.equal(application.get(Invoices, { strict: false }).written, 1)
  await application.close()
  await clock.run(120_000)
  assert.equal(tasksOf(scheduler).length, 0)
})

test('a wrong list keeps the application from starting', async () => {
  const starting = applicationOf({ store: memoryStore(), tasks: [['a', 'never', () => {}, 0]] })
  await assert.rejects(starting, { name: 'CronExpressionInvalidError' })
})

test('an application whose instance stands by starts all the same, and stops without a complaint', async () => {
  const store: Store = {
    load: session =>
      new Promise((_, reject) => {
        session?.onStandby()
        session?.signal.addEventListener('abort', () => reject(session.signal.reason))
      }),
    commit: async () => {},
    close: () => {},
  }
  const complaints: unknown[] = []
  Logger.overrideLogger({ log() {}, warn() {}, error: complaint => void complaints.push(complaint) })
  const application = await applicationOf({ store, tasks: [], logger: silent })
  await application.close()
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(complaints, [])
})

import { type DynamicModule, Logger as NestLogger } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import {
  type Logger,
  makeScheduler,
  type Registration,
  type Scheduler,
  type SchedulerOptions,
} from '../index.ts'
import { begin } from '../lifecycle/begin.ts'

export interface KronModuleOptions extends SchedulerOptions {
  /** The whole list, as for `initialize`. A function is called at application start and finds providers with `get`. */
  readonly tasks: readonly Registration[] | ((application: ModuleRef) => readonly Registration[])
}

/** The injection token of the scheduler: `@Inject(SCHEDULER) scheduler: Scheduler`. */
export const SCHEDULER: unique symbol = Symbol.for('@kron/scheduler nestjs')

/**
 * A NestJS module. It initializes the scheduler when the application starts and stops it at shutdown (`app.close()`, or
 * a signal after `app.enableShutdownHooks()`). The application does not wait for an instance on standby.
 */
// biome-ignore lint/complexity/noStaticOnlyClass: NestJS knows modules by their classes.
export class KronModule {
  static forRoot(options: KronModuleOptions): DynamicModule {
    const { tasks, ...rest } = options
    const scheduler = {
      provide: SCHEDULER,
      useFactory: () => makeScheduler({ logger: nestLogger(), ...rest }),
    }
    const lifecycle = {
      provide: Lifecycle,
      inject: [SCHEDULER, ModuleRef],
      useFactory: (scheduler: Scheduler, application: ModuleRef) =>
        new Lifecycle(scheduler, () =>
          typeof tasks === 'function' ? tasks(looseFinder(application)) : tasks,
        ),
    }
    return { module: KronModule, global: true, providers: [scheduler, lifecycle], exports: [SCHEDULER] }
  }
}

/** A provider with the lifecycle methods that NestJS calls. */
class Lifecycle {
  readonly #scheduler: Scheduler
  readonly #tasks: () => readonly Registration[]

  constructor(scheduler: Scheduler, tasks: () => readonly Registration[]) {
    this.#scheduler = scheduler
    this.#tasks = tasks
  }

  onApplicationBootstrap(): Promise<void> {
    return begin(this.#scheduler, this.#tasks(), error =>
      new NestLogger('Kron').error(error instanceof Error ? error.stack : error),
    )
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#scheduler.stop()
  }
}

/** Lets tasks use providers of the whole application, not only of this module. */
function looseFinder(application: ModuleRef): ModuleRef {
  const get: ModuleRef['get'] = (token: never, options: object = {}) =>
    application.get(token, { strict: false, ...options })
  return Object.create(application, { get: { value: get } }) as ModuleRef
}

/** The application's logger. NestJS has `log` instead of `info`, and takes the message first. */
function nestLogger(): Logger {
  const logger = new NestLogger('Kron')
  return {
    debug: (data, message) => logger.debug(message, data),
    info: (data, message) => logger.log(message, data),
    warn: (data, message) => logger.warn(message, data),
    error: (data, message) => logger.error(message, data),
  }
}

import type { FastifyInstance } from 'fastify'
import { begin } from '../begin.ts'
import { makeScheduler, type Registration, type SchedulerOptions } from '../index.ts'

export interface KronPluginOptions extends SchedulerOptions {
  /** The whole list, as `initialize` takes it; a function is called when the server becomes ready. */
  readonly tasks: readonly Registration[] | ((fastify: FastifyInstance) => readonly Registration[])
  /** Under which name the scheduler is found on the server; `scheduler` if absent. */
  readonly decorator?: string
}

/**
 * A Fastify plugin: the scheduler is initialized when the server becomes ready, and stopped when it closes. The server does not wait
 * for an instance that has to stand by; if that fails later, it is logged.
 */
export async function kronPlugin(fastify: FastifyInstance, options: KronPluginOptions): Promise<void> {
  const { tasks, decorator = 'scheduler', ...rest } = options
  const scheduler = makeScheduler({ logger: fastify.log, ...rest })
  fastify.decorate(decorator, scheduler)
  fastify.addHook('onReady', async () => {
    await begin(scheduler, typeof tasks === 'function' ? tasks(fastify) : tasks, error =>
      fastify.log.error({ err: error }, 'the scheduler was not initialized'),
    )
  })
  fastify.addHook('onClose', () => scheduler.stop())
}

// As fastify-plugin does: the decorator is for the server that registers the plugin, not only for the plugin itself.
Object.assign(kronPlugin, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@kron/scheduler',
})

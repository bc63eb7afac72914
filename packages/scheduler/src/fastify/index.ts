import type { FastifyInstance } from 'fastify'
import { makeScheduler, type Registration, type SchedulerOptions } from '../index.ts'
import { begin } from '../lifecycle/begin.ts'

export interface KronPluginOptions extends SchedulerOptions {
  /** The whole list, as for `initialize`. A function is called when the server becomes ready. */
  readonly tasks: readonly Registration[] | ((fastify: FastifyInstance) => readonly Registration[])
  /** The name of the decorator that holds the scheduler. The default is `scheduler`. */
  readonly decorator?: string
}

/**
 * A Fastify plugin. It initializes the scheduler when the server becomes ready and stops it when the server closes. The
 * server does not wait for an instance on standby; a later failure of that instance is logged.
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

// Like fastify-plugin, this decorates the server that registers the plugin, not only the plugin's own context.
Object.assign(kronPlugin, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@kron/scheduler',
})

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clientOptions } from '../../../kernel/runtime/client-options.ts'
import { reportThrottles } from '../../../kernel/throttling/retry-strategy.ts'

type Plugin = Parameters<DynamoDBClient['middlewareStack']['use']>[0]

/**
 * One client per function instance, with the handlers of its commands cached. The local cloud passes `plugins` for the
 * client's middleware stack.
 */
export function openClient(options: Record<string, unknown> = clientOptions('dynamodb')): DynamoDBClient {
  const { plugins = [], ...config } = options as { plugins?: readonly Plugin[] }
  const client = reportThrottles(new DynamoDBClient({ cacheMiddleware: true, ...config }), 'dynamodb')
  for (const plugin of plugins) client.middlewareStack.use(plugin)
  return client
}

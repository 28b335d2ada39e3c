import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { openClient } from '../../../../../../shared/platform/store/client/open-client.ts'

it('a client goes through the plugins of the local cloud', async () => {
  const client = openClient({
    region: 'eu-central-1',
    plugins: [
      {
        applyToStack: (stack: { add(handler: object, options: object): void }) =>
          stack.add(() => async () => ({ output: { TableNames: ['of the plugin'] } }), { step: 'initialize' }),
      },
    ],
  })
  expect(await client.send(new ListTablesCommand({}))).toEqual({ TableNames: ['of the plugin'] })
})

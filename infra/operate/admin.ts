/**
 * `npm run admin -- --email a@b.c [--tenant slug]`: prints an invitation for an administrator, the first one of a deployment
 * or one who lost the password. Works on the local service, running or stopped (`DATA_DIR`), or on a deployed one
 * (`--stage name` or `--table name`, with the AWS credentials of the environment).
 */
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { parseArgs } from 'node:util'
import { invitationUrl } from '../../shared/auth/invitation.ts'
import { inviteAdministrator } from '../../shared/auth/invite-administrator.ts'
import { clock } from '../../shared/clock.ts'
import { Fault, Invalid } from '../../shared/faults.ts'
import { createStore } from '../../shared/store/table.ts'
import { openLocalTable } from '../local/open-table.ts'

const usage = `Usage: npm run admin -- --email <address> [--tenant <slug>]
         [--stage <name> | --table <name>]  a deployed service; otherwise the local one in DATA_DIR
         [--url <address>]                  where that service is reached, for the link`

interface Target {
  readonly client: DynamoDBClient
  readonly tableName: string
  /** Where the service is reached; undefined when nobody said. */
  readonly url: string | undefined
  readonly close: () => Promise<void>
}

try {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      tenant: { type: 'string' },
      stage: { type: 'string' },
      table: { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || values.email === undefined) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else {
    await invite(values)
  }
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function invite(given: { email?: string; tenant?: string; stage?: string; table?: string; url?: string }): Promise<void> {
  const { email, tenant } = given
  const target = given.stage !== undefined || given.table !== undefined ? await openDeployed(given) : await openLocal(given)
  try {
    const invitation = await inviteAdministrator({ store: createStore(target.tableName, target.client), clock }, { email, tenant })
    const appUrl = process.env['APP_URL']
    const link = invitationUrl(invitation.token, { appUrl, publicUrl: target.url ?? '' })
    console.log(`${invitation.email} is invited as administrator of ${invitation.tenant.slug}, until ${invitation.expires_at}, once:`)
    console.log(`\n  ${link}\n`)
    if (target.url === undefined && !appUrl) console.log('The link begins with the address of the service, which --url tells.')
    if (!appUrl) {
      console.log('To accept it without a web app:')
      console.log(`\n  curl -X POST ${link} -H 'content-type: application/json' \\`)
      console.log(`    -d '{"name":"...","password":"...","password_confirmation":"..."}'\n`)
    }
  } finally {
    target.client.destroy()
    await target.close()
  }
}

async function openLocal({ url }: { url?: string }): Promise<Target> {
  const directory = process.env['DATA_DIR'] || '.local'
  const table = await openLocalTable(directory)
  const client = new DynamoDBClient({ endpoint: table.endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
  const port = process.env['PORT'] || '3000'
  const [tableName] = await tablesOf(client)
  if (tableName === undefined) {
    await table.close()
    throw new Error(`There is no service in ${directory} yet: run npm start first.`)
  }
  return { client, tableName, url: url ?? table.url ?? `http://localhost:${port}`, close: table.close }
}

async function openDeployed({ stage, table, url }: { stage?: string; table?: string; url?: string }): Promise<Target> {
  const client = new DynamoDBClient({})
  const tableName = table ?? (await tableOfStage(client, stage as string))
  return { client, tableName, url, close: async () => {} }
}

/** CloudFormation names the table after the stack and the logical id: `EntityWorkflow-<stage>-Table<hash>-<random>`. */
async function tableOfStage(client: DynamoDBClient, stage: string): Promise<string> {
  const found = (await tablesOf(client)).filter((name) => name.startsWith(`EntityWorkflow-${stage}-Table`))
  if (found.length === 1) return found[0] as string
  const problem = found.length === 0 ? `No table of the stage ${stage} is` : `Several tables of the stage ${stage} are`
  throw new Error(`${problem} in this account and region: name it with --table (output TableName of the stack).`)
}

async function tablesOf(client: DynamoDBClient): Promise<string[]> {
  const names: string[] = []
  let ExclusiveStartTableName: string | undefined
  do {
    const page = await client.send(new ListTablesCommand({ ExclusiveStartTableName }))
    names.push(...(page.TableNames ?? []))
    ExclusiveStartTableName = page.LastEvaluatedTableName
  } while (ExclusiveStartTableName !== undefined)
  return names
}

/** One line per problem; what is no Fault is told by its message, as the operator's own surroundings cause it. */
function explain(error: unknown): string {
  if (error instanceof Invalid) return Object.values(error.errors).flat().join('\n')
  if (error instanceof Fault || error instanceof Error) return `${error.message}${(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ? `\n${usage}` : ''}`
  return String(error)
}

/**
 * `npm run bench:cold`: the size of every bundle and the time a fresh process takes to import it, compared with a
 * handler that only reads one item of DynamoDB. Each is imported COLD_RUNS (5) times; the fastest counts. Lambda's
 * CPU is slower.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildFunctions, bundling, commonJsBanner } from '../../esbuild.config.ts'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'

const runs = Math.min(50, Number(process.env['COLD_RUNS'] ?? 5))
const baselineHandler = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
  const client = new DynamoDBClient({})
  export const handler = ({ key }) => client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key: { pk: { S: key } } }))`
const valueOf = (name: string): string => {
  if (name.endsWith('_URL')) return 'https://example.test'
  if (name.endsWith('_ARN')) return 'arn:aws:kms:us-east-1:000000000000:key/none'
  return name === 'TABLE_NAME' || name.endsWith('_BUCKET') ? name.toLowerCase() : ''
}
/** Dummy values for every variable of the catalogue; nothing is called. */
const environment = Object.fromEntries(
  deployedFunctions.flatMap(({ environment: names }) => names.map((name) => [name, valueOf(name)])),
)
const script =
  'const from = performance.now(); await import(process.argv[1]); console.log(performance.now() - from); process.exit(0)'

const directory = await mkdtemp(join(tmpdir(), 'cold-'))
try {
  const bundles = await buildFunctions(directory)
  const baseline = { name: 'baseline', ...(await baselineBundle(join(directory, 'baseline', 'index.mjs'))) }
  const baselineMs = await importMs(baseline.name)
  const figures = [figure(baseline.name, baseline.sizeBytes, baselineMs)]
  for (const { name, sizeBytes } of bundles.toSorted((a, b) => b.sizeBytes - a.sizeBytes))
    figures.push(figure(name, sizeBytes, await importMs(name)))
  console.table(figures)

  function figure(name: string, sizeBytes: number, ms: number) {
    return {
      function: name,
      'bundle kB': Math.round(sizeBytes / 1000),
      'import ms': Math.round(ms),
      'vs. baseline': `× ${(ms / baselineMs).toFixed(1)}`,
    }
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function baselineBundle(outfile: string): Promise<{ sizeBytes: number }> {
  const { metafile } = await build({
    ...bundling,
    stdin: { contents: baselineHandler, resolveDir: import.meta.dirname },
    outfile,
    banner: { js: commonJsBanner },
    metafile: true,
  })
  return { sizeBytes: Object.values(metafile.outputs)[0]?.bytes ?? 0 }
}

/** The fastest of several processes: other load can only make one slower. */
async function importMs(name: string): Promise<number> {
  const { PATH = '' } = process.env
  const env = {
    ...environment,
    PATH,
    AWS_REGION: 'us-east-1',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    APP_MODE: '',
    REGISTRATION: '',
  }
  const times: number[] = []
  for (let n = 0; n < runs; n += 1) {
    const url = pathToFileURL(join(directory, name, 'index.mjs')).href
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, url], { env })
    times.push(Number(stdout))
  }
  return Math.min(...times)
}

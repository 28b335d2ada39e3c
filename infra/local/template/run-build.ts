/** The build steps, each in a process of its own, as the CDK's command line runs them: it frees its memory afterwards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Urgency } from './bundles.ts'

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill()))

/**
 * Writes the CDK assembly of `root` into `outDirectory`. An asset is not the bundle of its function but a folder with
 * `function.json`, which names it: bundles take most of the time, and a start needs a few of them.
 */
export async function synthesize(root: string, outDirectory: string): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: object }
  await run(root, ['infra/app.ts'], {
    CDK_OUTDIR: outDirectory,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:disable-stack-trace': true }),
    BUNDLE_DIR: `${outDirectory}-names`,
    BUNDLE_LATER: 'true',
    // Half of the time of synthesis, and of interest to a deployment only: `npm run check` and `npm run deploy` do it.
    CDK_VALIDATION: 'false',
  }).finally(() => rmSync(`${outDirectory}-names`, { recursive: true, force: true }))
}

/**
 * Bundles the named functions into `outDirectory`, a folder each: the bundles that a deployment gets, and which files each
 * is made of.
 */
export const bundle = (root: string, outDirectory: string, names: readonly string[], urgency: Urgency): Promise<void> =>
  run(root, ['esbuild.config.ts', outDirectory, ...names], { BUNDLE_INPUTS: 'true' }, urgency)

async function run(
  root: string,
  command: readonly string[],
  variables: Record<string, string>,
  urgency: Urgency = 'urgent',
): Promise<void> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  // Before it starts the bundler, which inherits this.
  if (urgency === 'later' && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)).finally(() =>
    running.delete(child),
  )
  if (code !== 0) throw new Error(`The functions or the template could not be built:\n${complaint.trim()}`)
}

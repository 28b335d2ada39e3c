import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type ExplainedCode, explainedCodes } from '../../../shared/platform/http/openapi/explained-codes.ts'

export interface Guide {
  /** The name in addresses: its file without `.md`. On the page it follows `guide-`, for some sections have the same name. */
  readonly name: string
  readonly title: string
  /** Markdown without the title. */
  readonly text: string
}

/** The guides in reading order: the files of `docs/guide/`. */
export const guideNames = [
  'getting-started',
  'service-desk',
  'tables-and-fields',
  'fields-and-forms',
  'query-language',
  'everyday',
  'permissions',
  'sign-in',
  'hooks',
  'processes',
  'decisions',
  'from-other-engines',
  'tasks',
  'channels-and-mail',
  'incoming-mail',
  'mailboxes',
  'messenger',
  'comments',
  'portal',
  'subscriptions',
  'import-and-export',
  'configuration-as-code',
  'files',
  'time-travel',
] as const

/** esbuild.config.ts copies the guides next to the bundle; without a bundle they are read where they are written. */
const bundled = new URL('./guide/', import.meta.url)
const folder = existsSync(bundled) ? bundled : new URL('../../../docs/guide/', import.meta.url)

let reading: Promise<readonly Guide[]> | undefined

/** All guides and the table of failure codes, read once. Links between guides lead to their places on the page. */
export const readGuides = (): Promise<readonly Guide[]> =>
  (reading ??= Promise.all(guideNames.map(readOne)).then((guides) => [...guides, failureCodes]))

async function readOne(name: string): Promise<Guide> {
  const markdown = await readFile(new URL(`${name}.md`, folder), 'utf8')
  const [, title = name, text = ''] = /^# (.+)\n([^]*)$/.exec(markdown) ?? []
  return { name, title, text: text.replaceAll(/\]\(([a-z-]+)\.md\)/g, '](#tag/guide-$1)').trim() }
}

/** A guide as it was written, with its title. */
export const markdownOf = ({ title, text }: Guide): string =>
  `# ${title}\n\n${text.replaceAll(/\]\(#tag\/guide-([a-z-]+)\)/g, ']($1.md)')}\n`

const row = ({ code, meaning, remedy }: ExplainedCode): string => `| \`${code}\` | ${meaning} | ${remedy} |`

const failureCodes: Guide = {
  name: 'failure-codes',
  title: 'Failure codes',
  text: [
    'Branch on `code`: it is never renamed and never changes its meaning. New codes may be added, so handle an unknown code by its status.',
    ...[...Map.groupBy(explainedCodes, ({ status }) => status)].map(
      ([status, codes]) =>
        `## Status ${status}\n\n| code | meaning | what to do |\n|---|---|---|\n${codes.map(row).join('\n')}`,
    ),
  ].join('\n\n'),
}

import { createHash } from 'node:crypto'
import type { Caller } from '../../../kernel/principal.ts'
import { NotModified, Reply } from '../../../platform/http/routing/envelope.ts'
import { type Mark, marksOf } from '../../bpmn/diagram/glyphs.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { readInstanceHead } from '../rows/instance-row.ts'
import { requireInstance, type Visibility } from '../sight/visible-records.ts'
import { readVersion } from '../templates/template.ts'
import { describeInstance } from './describe-instance.ts'

/** Draws a document as SVG; `policy`: the content security policy with which it is answered. */
export type DrawDiagram = (
  xml: string,
  marks: ReadonlyMap<string, Mark>,
  title: string,
  theme?: 'light' | 'dark',
) => Promise<{ readonly svg: string; readonly policy: string }>

/** How a picture is asked for. */
export interface PictureRequest {
  /** The `ETag` of the picture that the caller has. */
  readonly knownTag?: string | undefined
  /** That of the reader when left out. */
  readonly theme?: 'light' | 'dark' | undefined
}

/**
 * The picture of an instance: the diagram of the version that it runs, with what is done, where it waits and what failed.
 * Throws NotFound unless the caller may read its record.
 */
export async function describeDiagram(
  services: AdvanceDependencies & Visibility & { readonly drawDiagram: DrawDiagram },
  caller: Caller,
  id: number,
  { knownTag, theme }: PictureRequest,
): Promise<Reply<string> | NotModified> {
  const { tenant } = caller
  const item = await requireInstance(services, caller, id)
  const { templateId, templateVersion } = readInstanceHead(item)
  const [instance, version] = await Promise.all([
    describeInstance(services, caller, item),
    readVersion(services.store, tenant, templateId, templateVersion),
  ])
  if (version === undefined) throw new Error(`there is no version ${templateVersion} of process template ${templateId}`)
  const title = `${instance.template.name}, process ${id}: ${instance.status}`
  const { svg, policy } = await services.drawDiagram(version.xml, marksOf(instance), title, theme)
  const tag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`
  if (knownTag === tag) return new NotModified(tag)
  return new Reply(svg, {
    etag: tag,
    'cache-control': 'private, no-cache',
    'content-security-policy': policy,
    'content-disposition': `inline; filename="process-${id}.svg"`,
  })
}

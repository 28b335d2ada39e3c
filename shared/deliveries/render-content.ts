import type { TemplateContent } from '../notification-templates/service.ts'
import type { IntentContent } from './rows/intent-content.ts'

/** Renders a template with parameters, in the language that fits the locale best. */
export type RenderTemplate = (
  template: TemplateContent,
  params: Readonly<Record<string, unknown>>,
  locale: string | null,
) => Promise<{ readonly subject: string; readonly html: string; readonly text: string }>

/** What a recipient gets: the content itself, or its template in their language. */
export async function renderContent(
  render: RenderTemplate,
  { template, params = {}, ...content }: IntentContent,
  locale: string | null,
): Promise<Omit<IntentContent, 'template' | 'params'>> {
  if (!template) return content
  const { subject, html, text } = await render(template, params, locale)
  return { ...content, subject, body: html, text }
}

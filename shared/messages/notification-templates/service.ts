export {
  changeTemplate,
  createTemplate,
  type NotificationTemplateDependencies,
  removeTemplate,
} from './administer-templates.ts'
export { checkContent } from './check-content.ts'
export { findTemplate, listTemplates, requireTemplate } from './list-templates.ts'
export { plainText } from './plain-text.ts'
export { renderTemplate } from './render-template.ts'
export { usesPlaceholder } from './uses-placeholder.ts'
export type { TemplateContent } from './translation.ts'
export { describeTemplate, headOf, type NotificationTemplate, templateOf } from './template.ts'

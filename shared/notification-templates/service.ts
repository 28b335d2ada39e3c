export {
  changeTemplate,
  createTemplate,
  type NotificationTemplateDependencies,
  removeTemplate,
} from './administer-templates.ts'
export { checkContent } from './check-content.ts'
export { findTemplate, listTemplates, requireTemplate } from './list-templates.ts'
export { type RenderedTemplate, renderTemplate } from './render-template.ts'
export { describeTemplate, type NotificationTemplate, templateOf } from './template.ts'

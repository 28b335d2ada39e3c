export { typedDocument } from './typed-document.ts'

import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import { openApiDocument, type ServiceInfo } from '../../../shared/platform/http/openapi/openapi-document.ts'
import { allRoutes } from './all-routes.ts'
import { schemaNames } from './schema-names.ts'

/** The OpenAPI document of every route, in its generic form: the same for all tenants. */
export const apiDocument = (info: Omit<ServiceInfo, 'names'>): OpenApiDocument =>
  openApiDocument(allRoutes, { ...info, names: schemaNames })

import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { views } from '../../../shared/records/views/administer-views.ts'
import { viewRoutes } from '../../../shared/records/views/schema.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { viewDependencies } from '../../wiring/records/views.ts'

export const handler = endpointGroup({ authenticate }, implementObject(viewRoutes, views, viewDependencies))

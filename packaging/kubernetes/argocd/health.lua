-- Health of a KronJob for Argo CD: resource.customizations.health.kron.io_KronJob in the ConfigMap argocd-cm.
local health = { status = "Progressing", message = "Waiting for the operator" }
local status = obj.status
if status == nil or status.conditions == nil then
  return health
end
if status.observedGeneration ~= nil and obj.metadata.generation ~= status.observedGeneration then
  health.message = "The operator has not seen the last change yet"
  return health
end
local found = {}
for _, condition in ipairs(status.conditions) do
  found[condition.type] = condition
end
local function holds(kind)
  return found[kind] ~= nil and found[kind].status == "True"
end
if holds("Stalled") then
  return { status = "Degraded", message = found.Stalled.message }
end
if holds("Suspended") then
  return { status = "Suspended", message = found.Suspended.message }
end
if holds("SchedulingError") then
  return { status = "Degraded", message = found.SchedulingError.message }
end
if holds("Reconciling") then
  return { status = "Progressing", message = found.Reconciling.message }
end
if holds("Ready") then
  return { status = "Healthy", message = found.Ready.message }
end
return health

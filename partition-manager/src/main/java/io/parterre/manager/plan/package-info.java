/**
 * What the leading manager decides, as pure functions of the map and of what it has heard: nothing
 * here proposes, sends or waits. Start with {@link io.parterre.manager.plan.Orders}.
 */
package io.parterre.manager.plan;

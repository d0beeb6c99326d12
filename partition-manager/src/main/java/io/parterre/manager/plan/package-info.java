/**
 * What the leading manager decides, as pure functions of the map and of what it has heard: nothing
 * here proposes, sends, waits or asks for the time. Dependencies between the rooms go one way:
 * {@code policy}, {@code view}, {@code progress}, {@code decide}, {@code membership}, {@code
 * request}, {@code explain}, each may use those before it. Start with {@link
 * io.parterre.manager.plan.view.ClusterView}, which all of them read.
 *
 * <p>Invariant: no decision and no order leaves a range without a majority of healthy members, as
 * far as reports tell.
 */
package io.parterre.manager.plan;

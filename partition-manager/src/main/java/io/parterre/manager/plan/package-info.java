/**
 * The decisions of the leading manager, as pure functions of the map and of nodes' reports: nothing
 * here proposes, sends, waits or reads a clock. Dependencies between the packages go one way:
 * {@code policy}, {@code view}, {@code progress}, {@code decide}, {@code membership}, {@code
 * request}, {@code explain}; each may use those before it. Start with {@link
 * io.parterre.manager.plan.view.ClusterView}, which all of them read.
 *
 * <p>Invariant: no decision and no order leaves a range without a majority of healthy members, as
 * far as reports show.
 */
package io.parterre.manager.plan;

/**
 * What the protocols ask of the cluster, in terms of entities and tables: the interface between
 * parsing and routing. Interface and values; implemented by {@code client}. Start with {@link
 * io.parterre.frontend.store.TableStore}.
 */
package io.parterre.frontend.store;

/**
 * What the protocols ask of the cluster, in the words of entities and tables: the border between
 * parsing and routing. Interface and values; implemented by {@code client}. Start with {@link
 * io.parterre.frontend.store.TableStore}.
 */
package io.parterre.frontend.store;

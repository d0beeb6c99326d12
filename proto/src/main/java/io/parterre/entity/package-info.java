/**
 * EDM values, entities and their stored form. Pure: values and codecs, no I/O, safe for any thread
 * unless a class says otherwise. Start with {@link io.parterre.entity.EntityCodec}; a scan reads
 * through {@link io.parterre.entity.EntityView} and never builds an entity.
 */
package io.parterre.entity;

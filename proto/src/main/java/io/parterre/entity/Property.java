package io.parterre.entity;

/** A custom property of an entity: case-sensitive name and typed value. */
public record Property(String name, EdmValue value) {}

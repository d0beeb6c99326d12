package io.parterre.deploy.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of a record and of the records in it, derived from their components, and the
 * construction of the record from values. A record checks its values itself, in its constructor.
 */
final class RecordSchema {
    private final Class<?> type;
    private final String prefix;

    /** By component: a {@link ConfigKey} or a {@link Part}. */
    private final Map<String, Object> components = new LinkedHashMap<>();

    /** A record inside the record. */
    private record Part(RecordSchema schema, boolean optional) {}

    private RecordSchema(Class<?> type, String prefix) {
        this.type = type;
        this.prefix = prefix;
    }

    /**
     * Returns the schema of a record.
     *
     * @param defaults an instance with the default of each value
     */
    static RecordSchema of(Record defaults) {
        return of(defaults.getClass(), Optional.of(defaults), "");
    }

    private static RecordSchema of(Class<?> type, Optional<Object> defaults, String prefix) {
        RecordSchema schema = new RecordSchema(type, prefix);
        for (RecordComponent component : type.getRecordComponents()) {
            String path = prefix + component.getName();
            Optional<Object> value = defaults.map(instance -> read(component, instance));
            schema.components.put(component.getName(), schema.component(component, path, value));
        }
        return schema;
    }

    private Object component(RecordComponent component, String path, Optional<Object> value) {
        boolean optional = component.getType() == Optional.class;
        Class<?> inner =
                optional
                        ? (Class<?>)
                                ((ParameterizedType) component.getGenericType())
                                        .getActualTypeArguments()[0]
                        : component.getType();
        Optional<Object> held = optional ? value.flatMap(RecordSchema::held) : value;
        if (inner.isRecord() && !ValueText.isRead(inner)) {
            return new Part(of(inner, held, path + "."), optional);
        }
        // Values inside an optional record that is absent have no default either.
        return new ConfigKey(
                path,
                inner,
                ValueText.of(component.getName(), inner),
                optional || value.isEmpty(),
                held);
    }

    private static Optional<Object> held(Object optional) {
        return ((Optional<?>) optional).map(value -> value);
    }

    private static Object read(RecordComponent component, Object instance) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(instance);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /** Returns all keys in the order of the components. */
    List<ConfigKey> keys() {
        List<ConfigKey> keys = new ArrayList<>();
        for (Object component : components.values()) {
            if (component instanceof ConfigKey key) {
                keys.add(key);
            } else {
                keys.addAll(((Part) component).schema().keys());
            }
        }
        return keys;
    }

    /**
     * Constructs the record.
     *
     * @param values values by path; every key that is not optional has one
     * @param problems receives what records refuse; the result is empty then
     */
    Optional<Object> build(Map<String, Object> values, List<String> problems) {
        List<Object> arguments = new ArrayList<>();
        boolean complete = true;
        for (RecordComponent component : type.getRecordComponents()) {
            Optional<Object> argument =
                    argument(component, components.get(component.getName()), values, problems);
            complete &= argument.isPresent();
            argument.ifPresent(arguments::add);
        }
        return complete ? instance(arguments, problems) : Optional.empty();
    }

    private static Optional<Object> argument(
            RecordComponent component,
            Object part,
            Map<String, Object> values,
            List<String> problems) {
        if (part instanceof ConfigKey key) {
            Optional<Object> value = Optional.ofNullable(values.get(key.path()));
            return component.getType() == Optional.class ? Optional.of(value) : value;
        }
        RecordSchema schema = ((Part) part).schema();
        if (!((Part) part).optional()) {
            return schema.build(values, problems);
        }
        List<ConfigKey> missing =
                schema.keys().stream().filter(key -> !values.containsKey(key.path())).toList();
        if (missing.size() == schema.keys().size()) {
            return Optional.of(Optional.empty());
        }
        if (!missing.isEmpty()) {
            missing.forEach(
                    key -> problems.add(key.path() + ": missing (expected: set like its kin)"));
            return Optional.empty();
        }
        return schema.build(values, problems).map(Optional::of);
    }

    private Optional<Object> instance(List<Object> arguments, List<String> problems) {
        Class<?>[] types =
                Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getType)
                        .toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return Optional.of(constructor.newInstance(arguments.toArray()));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                // Records name only their own components; several problems are joined by
                // semicolons.
                for (String problem : refused.getMessage().split("; ")) {
                    problems.add(prefix + problem);
                }
                return Optional.empty();
            }
            throw new IllegalStateException("cannot make " + type, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }
}
